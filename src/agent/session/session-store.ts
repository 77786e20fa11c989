import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hideSecretsOf, visibleLine } from '../../base/index.ts';
import { lockSession } from './session-lock.ts';
import { type SessionEntry, type SessionLog, sessionEntrySchema } from './session-log.ts';
import { type SessionState, stateOf } from './session-state.ts';
import { SessionUnusable } from './session-unusable.ts';

/** The only form of an id, so that nothing a client says becomes a path. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LARGEST_FILE_BYTES = 256 * 1024 * 1024;
const LISTED = 1_000;
const TITLE_BYTES = 4096;

const headerSchema = z.object({ version: z.literal(1), id: z.string(), cwd: z.string(), created_at: z.string() });
export type SessionFacts = Pick<z.output<typeof headerSchema>, 'id' | 'cwd' | 'created_at'>;

/** A session that this process alone writes. Whoever opened it closes it. */
export interface OpenSession extends SessionLog {
  readonly facts: SessionFacts;
  /** When its file was last written before it was opened, in milliseconds since 1970. */
  readonly lastWritten: number;
  /** As the file tells it now. */
  read(): Promise<SessionState>;
  close(): Promise<void>;
}

/** Where the worker keeps its sessions: one folder of the user's alone, one file a session, and no key in any. */
export class SessionStore {
  readonly #folder: string;
  readonly #hide: (text: string) => string;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    const { XDG_STATE_HOME, HOME } = environment;
    const state = XDG_STATE_HOME?.startsWith('/') ? XDG_STATE_HOME : join(HOME || '/', '.local/state');
    this.#folder = join(state, 'remit-worker/sessions');
    this.#hide = hideSecretsOf(environment);
  }

  async create(cwd: string): Promise<OpenSession> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const facts = { id: randomUUID(), cwd, created_at: new Date().toISOString() };
    const lock = lockSession(this.#path(facts.id));
    const file = await open(this.#path(facts.id), 'ax', 0o600);
    const session = new SessionFile(
      file,
      { path: this.#path(facts.id), facts, bytes: 0, lastWritten: Date.now() },
      this.#hide,
      lock.release,
    );
    await session.write({ version: 1, ...facts });
    return session;
  }

  /** Throws `SessionUnusable` when there is none, when another process has it, or when its file cannot be read. */
  async open(id: string): Promise<OpenSession> {
    if (!SESSION_ID.test(id) || !existsSync(this.#path(id))) throw new SessionUnusable('There is no such session.');
    const path = this.#path(id);
    const lock = lockSession(path);
    try {
      const { facts, validBytes } = await readSession(path);
      const file = await open(path, 'r+');
      const { mtimeMs: lastWritten } = await file.stat();
      // What a kill tore is cut off, so that the next line starts where the last whole one ended.
      await file.truncate(validBytes);
      return new SessionFile(file, { path, facts, bytes: validBytes, lastWritten }, this.#hide, lock.release);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The newest first, at most 1,000; those that cannot be read are left out. */
  async list(cwd: string | undefined): Promise<(SessionFacts & { title: string })[]> {
    const names = filesOf(this.#folder).slice(0, LISTED);
    const known = await Promise.all(names.map((name) => headOf(join(this.#folder, name))));
    return known
      .filter((session) => session !== undefined)
      .filter((session) => cwd === undefined || session.cwd === cwd)
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.jsonl`);
  }
}

class SessionFile implements OpenSession {
  readonly facts: SessionFacts;
  readonly lastWritten: number;
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #hide: (text: string) => string;
  readonly #release: () => void;
  #writing: Promise<void> = Promise.resolve();
  #bytes: number;

  constructor(
    file: FileHandle,
    { path, facts, bytes, lastWritten }: { path: string; facts: SessionFacts; bytes: number; lastWritten: number },
    hide: (text: string) => string,
    release: () => void,
  ) {
    this.#file = file;
    this.#path = path;
    this.facts = facts;
    this.lastWritten = lastWritten;
    this.#bytes = bytes;
    this.#hide = hide;
    this.#release = release;
  }

  async read(): Promise<SessionState> {
    await this.#writing.catch(() => {});
    return stateOf((await readSession(this.#path)).entries);
  }

  append(entry: SessionEntry): Promise<void> {
    return this.write(entry);
  }

  /** One after the other. A line that could not be written whole is taken back, so that the ones before it stay readable. */
  write(line: object): Promise<void> {
    const kept = JSON.stringify(line, (_, value) => (typeof value === 'string' ? this.#hide(value) : value));
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write(Buffer.from(`${kept}\n`)));
    return this.#writing;
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#bytes + bytes.length > LARGEST_FILE_BYTES)
      throw new SessionUnusable(`This session’s file has reached ${LARGEST_FILE_BYTES} bytes: begin a new session.`);
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#bytes + done);
        done += bytesWritten;
      }
      await this.#file.datasync();
      this.#bytes += bytes.length;
    } catch (error) {
      await this.#file.truncate(this.#bytes).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#file.close();
    this.#release();
  }
}

interface SessionReading {
  readonly facts: SessionFacts;
  readonly entries: SessionEntry[];
  /** Where the last whole line ends. */
  readonly validBytes: number;
}

async function readSession(path: string): Promise<SessionReading> {
  const bytes = await readBounded(path);
  const validBytes = bytes.lastIndexOf(0x0a) + 1;
  const [first, ...lines] = bytes.subarray(0, validBytes).toString('utf8').split('\n').slice(0, -1);
  const header = headerSchema.safeParse(jsonOf(first ?? ''));
  if (!header.success)
    throw new SessionUnusable('This session was not written by this version of the worker: begin a new one.');
  const entries = lines.map((line, at) => {
    const entry = sessionEntrySchema.safeParse(jsonOf(line));
    if (entry.success) return entry.data as SessionEntry;
    throw new SessionUnusable(`Line ${at + 2} of this session’s file cannot be read: begin a new session.`);
  });
  return { facts: header.data, entries, validBytes };
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new SessionUnusable('There is no such session.') : error;
  });
  try {
    const { size } = await file.stat();
    if (size > LARGEST_FILE_BYTES) throw new SessionUnusable('This session’s file is too large: begin a new session.');
    return await readFile(file);
  } finally {
    await file.close();
  }
}

async function headOf(path: string): Promise<(SessionFacts & { title: string }) | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * TITLE_BYTES), 0, 2 * TITLE_BYTES, 0);
    const [first = '', second = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    const header = headerSchema.safeParse(jsonOf(first));
    return header.success ? { ...header.data, title: titleOf(second) } : undefined;
  } finally {
    await file.close();
  }
}

/** The beginning of what was asked first, even where its line goes on beyond what was read. */
function titleOf(line: string): string {
  const text = /^\{"kind":"message","message":\{"role":"user","text":"((?:[^"\\]|\\.)*)/.exec(line)?.[1] ?? '';
  const parsed = jsonOf(`"${text}"`);
  return visibleLine(typeof parsed === 'string' ? (parsed.trim().split('\n')[0] ?? '') : '').slice(0, 120);
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl') && SESSION_ID.test(name.slice(0, -6)));
  } catch {
    return [];
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
