/** What Remit knows about one MCP client: where its configuration of this user lies and what an entry there must say. */

/** Where a person's files lie; handed in, so that a client's own variables decide and nothing else. */
export interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** How the client is to start the server. */
export interface Server {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** The variables that the client gives to the server. */
export type Variables = Readonly<Record<string, string | number | boolean>>;

export type Entry = Readonly<Record<string, string | number | boolean | readonly string[] | Variables>>;

/** `commented json` allows comments and a comma before a closing bracket; plain `json` neither. */
export type Syntax = 'toml' | 'json' | 'commented json';

export interface Client {
  readonly title: string;
  /** The version that the tests of interop/ ran; without one, all here is from the client's documentation. */
  readonly tried?: string;
  readonly syntax: Syntax;
  /** The member of the file that holds the servers by name. */
  readonly servers: string;
  /** The member of an entry with the server's variables: a person's, so they outlive a replacement. */
  readonly variables: 'env' | 'environment';
  /** The user's own configuration files, absolute: the first that exists is edited, else the first is made. */
  files(place: Place): readonly [string, ...string[]];
  /** The same for a reader of the documentation. */
  readonly shownFile: string;
  entry(server: Server): Entry;
  /** What the entry gets in addition when the person lets the client call the tools without asking. */
  readonly trusted?: Entry;
  /** Whether it tells the server which directory it works in; else the operator must, with --root. */
  readonly tellsDirectory: boolean;
  /** The arguments of the client's own program that register the same, as far as it can. */
  ownCommand?(name: string, entry: Entry): readonly string[];
  /** What a person should know, one sentence or two each. */
  notes(name: string): readonly string[];
}

/**
 * The longest that a call should be waited for, in seconds: more than the longest wait that a supervisor may ask for (600 s),
 * so that the server answers before the client gives up.
 */
export const CALL_SECONDS = 900;
export const CALL_MILLISECONDS = CALL_SECONDS * 1000;
