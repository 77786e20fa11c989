import { claude } from './claude.ts';
import type { Client } from './client.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import type { ClientName } from './names.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';
import { zed } from './zed.ts';

export const CLIENTS: Readonly<Record<ClientName, Client>> = { codex, claude, gemini, cursor, vscode, zed, opencode };
