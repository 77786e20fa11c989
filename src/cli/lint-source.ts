import { visibleLine } from '../base/index.ts';
import { type LintResult, lintContract, type Problem } from '../contract/index.ts';
import { denyVerificationCommand } from '../policy/index.ts';
import { parseCommentedJson } from './commented-json.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { print } from './print.ts';
import { nameOf, readSource } from './read-source.ts';
import { jsonText } from './render/json-text.ts';
import { type Style, styleFor } from './terminal.ts';

/** Lints one contract and prints the result. Paths are read as relative to the repository's root. */
export async function lintSource(source: string, { json }: { json: boolean }): Promise<ExitCode> {
  const result = lintText(await readSource(source));
  const style = styleFor(process.stdout, process.env);
  print(json ? jsonText(resultForPrograms(result), 2) : resultForPeople(nameOf(source), result, style));
  return result.ok ? EXIT.ok : EXIT.badInput;
}

/** `prefix`: the folder inside the repository that the paths are relative to; '' is its root. */
export function lintText(text: string, prefix = ''): LintResult {
  try {
    return lintContract(parseCommentedJson(text), { prefix, denyCommand: denyVerificationCommand });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problems: [{ path: '', message: `is not JSON: ${visibleLine(error.message)}` }] };
  }
}

function resultForPrograms(result: LintResult) {
  if (!result.ok) return result;
  return { ok: true, contract_hash: result.hash, contract: result.contract };
}

export function resultForPeople(name: string, result: LintResult, style: Style): string {
  if (result.ok) return `${style('green', 'valid')} ${name}\n  sha256 ${result.hash}`;
  const count = result.problems.length === 1 ? '1 problem' : `${result.problems.length} problems`;
  const problems = result.problems.map((each) => problemForPeople(each, style));
  return [`${style('red', 'invalid')} ${name}: ${count}`, ...problems].join('\n');
}

function problemForPeople({ path, message, hint }: Problem, style: Style): string {
  const line = `  ${style('bold', path === '' ? 'the contract' : path)}: ${message}`;
  return hint === undefined ? line : `${line}\n    ${style('dim', hint)}`;
}
