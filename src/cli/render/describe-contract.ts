import type { TaskDetail } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { commandText } from './describe-checks.ts';
import { inline, paragraph, quoted } from './foreign-text.ts';

/** What the task was given: its aim, what it may write, and what it must prove. */
export function contractLines({ contract, status }: TaskDetail, style: Style, width: number): string[] {
  const { objective, user_outcome, write_scope, forbidden_scope, acceptance_criteria, verification } = contract;
  return [
    style('bold', 'Contract'),
    ...quoted(objective, style, width),
    paragraph('  outcome    ', user_outcome, width),
    paragraph('  may write  ', write_scope.join(', '), width),
    ...(forbidden_scope.length === 0 ? [] : [paragraph('  but never  ', forbidden_scope.join(', '), width)]),
    `  sha256     ${status.contract_hash}`,
    style('bold', 'Criteria'),
    ...acceptance_criteria.map(({ id, evidence, requirement }) =>
      paragraph(`  ${inline(id)} (${evidence})  `, requirement, width),
    ),
    ...(verification.length === 0 ? [] : [style('bold', 'Proven by')]),
    ...verification.map(({ id, argv, cwd }) => paragraph(`  ${inline(id)}  `, commandText(argv, cwd), width)),
  ];
}
