/** A place for one journey: a repository as the hard cases use it, a home, a state directory and a scripted worker. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AgentScript, scriptedAgentCommand, writeScript } from '../agents/script.ts';
import { Supervisor, type SupervisorOptions } from './supervisor.ts';

/** Every journey starts the command several times: Node keeps what it compiled, for all of them. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/remit-journeys', import.meta.url));

export interface WorkshopOptions {
  readonly script?: AgentScript;
  readonly adapter?: 'reasonix' | 'acp';
  /** Members of the configuration file that differ. */
  readonly configuration?: Record<string, unknown>;
  readonly workerEntry?: Record<string, unknown>;
  readonly objectFormat?: 'sha1' | 'sha256';
}

export class Workshop {
  readonly directory: string;
  readonly repository: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly configurationPath: string;
  readonly environment: Record<string, string>;

  constructor(options: WorkshopOptions = {}) {
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-journey-')));
    this.repository = join(this.directory, 'project');
    this.home = join(this.directory, 'home');
    this.stateDirectory = join(this.directory, 'state');
    this.configurationPath = join(this.directory, 'config.json');
    mkdirSync(this.home);
    mkdirSync(this.stateDirectory, { mode: 0o700 });
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      REMIT_CONFIG: this.configurationPath,
      NODE_COMPILE_CACHE: COMPILED,
    };
    writeFileSync(
      join(this.home, '.gitconfig'),
      '[user]\n\tname = Ada Example\n\temail = ada@example.test\n[init]\n\tdefaultBranch = main\n',
    );
    this.#makeRepository(options.objectFormat ?? 'sha1');
    this.useScript(options.script ?? { prompts: [{ steps: [] }] }, options);
  }

  #makeRepository(format: string): void {
    mkdirSync(this.repository);
    this.git('init', '-q', `--object-format=${format}`);
    this.write('a.txt', 'alpha\n');
    this.write('src/x.ts', 'export const x = 1;\n');
    this.git('add', '.');
    this.git('commit', '-qm', 'First');
  }

  /** Which script the worker performs from the next server on. */
  useScript(script: AgentScript, options: WorkshopOptions = {}): void {
    const command = scriptedAgentCommand(writeScript(join(this.directory, 'agent'), script));
    const worker = { adapter: options.adapter ?? 'acp', command, ...options.workerEntry };
    const file = {
      stateDir: this.stateDirectory,
      worker: 'scripted',
      workers: { scripted: worker },
      ...options.configuration,
    };
    writeFileSync(this.configurationPath, JSON.stringify(file));
  }

  /** The scripted agent under another program's name, by which its family is told. */
  commandNamed(name: string): string[] {
    const { workers } = JSON.parse(readFileSync(this.configurationPath, 'utf8'));
    const path = join(this.directory, 'agent', name);
    writeFileSync(path, '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    return [path, ...workers.scripted.command];
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.repository,
      env: this.environment,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }).trim();
  }

  write(path: string, content: string | Buffer): void {
    const absolute = join(this.repository, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }

  read(path: string): string {
    return readFileSync(join(this.repository, path), 'utf8');
  }

  /** Everything of the caller's checkout that must never change, as one comparable text. */
  fingerprint(): string {
    const own = (line: string) => !line.includes('refs/heads/remit/');
    return [
      this.git('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
      this.git('for-each-ref').split('\n').filter(own).join('\n'),
      this.git('rev-parse', 'HEAD'),
      this.git('ls-files', '--stage', '--debug').replaceAll(/^\s+(ctime|mtime|dev|ino|uid|size|flags).*$/gm, ''),
      readFileSync(join(this.repository, '.git/config'), 'utf8'),
    ].join('\n---\n');
  }

  /** A real Remit server over MCP, ended with the test. */
  async supervisor(options: Partial<SupervisorOptions> = {}): Promise<Supervisor> {
    const supervisor = await Supervisor.start({ root: this.repository, environment: this.environment, ...options });
    onTestFinished(() => supervisor.close());
    return supervisor;
  }
}

/** A workshop that is removed with its test. */
export function makeWorkshop(options: WorkshopOptions = {}): Workshop {
  const workshop = new Workshop(options);
  onTestFinished(() => rmSync(workshop.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return workshop;
}

/** The smallest contract: one file folder, one review criterion; members given replace it. */
export function contract(members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schema_version: 1,
    objective: 'Change x',
    user_outcome: 'x has its new value',
    write_scope: ['src/**'],
    acceptance_criteria: [{ id: 'looks-right', requirement: 'The change is what was asked for', evidence: 'review' }],
    verification: [],
    ...members,
  };
}

/** The members of a contract that proves itself by one command. */
export function provenBy(...argv: string[]): Record<string, unknown> {
  return {
    acceptance_criteria: [
      { id: 'looks-right', requirement: 'The change is what was asked for', evidence: 'review' },
      { id: 'proven', requirement: 'The check passes', evidence: 'automated' },
    ],
    verification: [{ id: 'check', argv, proves: ['proven'] }],
  };
}
