/** Where the worker's tools act. Under Remit that is the host's services, elsewhere this machine itself. */
export interface Place {
  /** The repository's folder: absolute, without links. */
  readonly root: string;
  readonly files: PlaceFiles;
  readonly commands: PlaceCommands;
}

/**
 * Files by their path relative to the root, as `placePath` makes it. What is refused comes as a sentence that follows the
 * path ("is a folder"), never as an exception; an exception is a defect or a failing disk.
 */
export interface PlaceFiles {
  /** What stands there. It proves nothing: no host need record it. Refused beyond LARGEST_FILE_BYTES. */
  peek(path: string): Promise<FileReading>;
  /** The model is shown exactly these lines of the file of that SHA-256: what a host records as seen. */
  show(path: string, lines: LineWindow, sha256: string): Promise<FileChange>;
  /** Puts a whole file in place at once, with the folders that it needs. Without `mode` a file keeps its own. */
  write(path: string, bytes: Buffer, expectation: { expected: Expected; mode?: number }): Promise<FileChange>;
  /** Never onto another file. */
  move(from: string, to: string, expectation: { expected: Expected }): Promise<FileChange>;
  /** Without `expected` whatever file is there. */
  remove(path: string, expectation: { expected?: Expected }): Promise<FileChange>;
  /** `''` is the root. Sorted by name. */
  list(path: string): Promise<FolderReading>;
}

export const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

/** From line `from` (1-based) `count` lines, perhaps none. */
export interface LineWindow {
  readonly from: number;
  readonly count: number;
}

/** What must be there for a change to happen: nothing, or bytes of this SHA-256. */
export type Expected = 'absent' | { readonly sha256: string };

export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

/** `mode`: the permission bits. */
export type FileReading =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'absent' }
  | Refused;

/** `unexpected`: what is there is not what was expected. */
export type FileChange = { readonly kind: 'done' } | { readonly kind: 'unexpected' } | Refused;

export interface FolderEntry {
  /** In byte-path form. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export type FolderReading =
  | { readonly kind: 'folder'; readonly entries: readonly FolderEntry[] }
  | { readonly kind: 'absent' }
  | Refused;

/** Commands are run by argv, or not at all. */
export type PlaceCommands =
  | {
      readonly kind: 'offered';
      /** `cwd` is relative to the root. Never rejects for what the program does. */
      run(argv: readonly string[], cwd: string, limits: CommandLimits): Promise<CommandEnd>;
      /** What a command may have touched since a moment (milliseconds since 1970). Left out where somebody else watches for that. */
      touchedSince?(moment: number): Promise<readonly TouchedFile[]>;
    }
  | { readonly kind: 'withheld'; readonly reason: string };

export interface CommandLimits {
  readonly timeoutMs: number;
  /** How much of each of stdout and stderr is kept, from its beginning and its end. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type CommandEnd =
  | {
      readonly kind: 'ended';
      /** Null when it did not exit by itself; `how` says what happened. */
      readonly exitCode: number | null;
      readonly how?: string;
      readonly stdout: CommandOutput;
      readonly stderr: CommandOutput;
      /** Files that it made, changed or deleted. Left out where somebody else watches for that, as a host does. */
      readonly touched?: readonly TouchedFile[];
    }
  | Refused;

export interface TouchedFile {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
}

export interface CommandOutput {
  readonly text: string;
  readonly totalBytes: number;
  readonly truncated: boolean;
}
