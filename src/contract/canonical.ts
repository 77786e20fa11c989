import { canonicalJson, sha256 } from '../base/index.ts';
import { DEFAULT_TIMEOUT_SECONDS, type TaskContractV1 } from './contract-schema.ts';

/**
 * The one text of a contract: RFC 8785 JSON without any field that equals its default. Fields that later versions add have
 * no default, so the hashes of today's contracts stay.
 */
export function canonicalContract(contract: TaskContractV1): string {
  return canonicalJson({
    ...contract,
    verified_context: unlessEmpty(contract.verified_context),
    forbidden_scope: unlessEmpty(contract.forbidden_scope),
    invariants: unlessEmpty(contract.invariants),
    non_goals: unlessEmpty(contract.non_goals),
    verification: withoutDefaults(contract.verification, DEFAULT_TIMEOUT_SECONDS.verification),
    allowed_commands: unlessEmpty(withoutDefaults(contract.allowed_commands, DEFAULT_TIMEOUT_SECONDS.allowed_commands)),
    file_assertions: unlessEmpty(contract.file_assertions),
    pause_conditions: unlessEmpty(contract.pause_conditions),
  });
}

/** Lower-case hexadecimal SHA-256 of the canonical text. */
export function contractHash(contract: TaskContractV1): string {
  return sha256(canonicalContract(contract));
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function withoutDefaults<T extends { readonly cwd: string; readonly timeout_seconds: number }>(
  commands: readonly T[],
  defaultSeconds: number,
): readonly object[] {
  return commands.map((command) => ({
    ...command,
    cwd: command.cwd === '.' ? undefined : command.cwd,
    timeout_seconds: command.timeout_seconds === defaultSeconds ? undefined : command.timeout_seconds,
  }));
}
