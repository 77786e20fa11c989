/** A repository's folder and a session on it, as the loop keeps one: what a call observed is known to the next. For tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Observation } from '../../evidence/index.ts';
import { localAuthority } from '../authority.ts';
import { localFiles } from '../place/local-files.ts';
import type { Place } from '../place/place.ts';
import type { ToolResult } from './define-tool.ts';
import { callTool } from './registry.ts';

export interface TestSession {
  readonly root: string;
  readonly ledger: Observation[];
  call(name: string, input: unknown): Promise<ToolResult>;
}

export function openSession(
  files: Readonly<Record<string, string | Buffer>> = {},
  commands?: Place['commands'],
): TestSession {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'remit-tools-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const place = {
    root,
    files: localFiles(root),
    commands: commands ?? { kind: 'withheld' as const, reason: 'no commands' },
  };
  const ledger: Observation[] = [];
  const authority = localAuthority(root);
  return {
    root,
    ledger,
    async call(name, input) {
      const result = await callTool(name, input, { place, ledger, authority });
      ledger.push(...result.observations);
      return result;
    },
  };
}
