/**
 * A model server whose every answer was written down beforehand, on loopback, for tests and the demo. It speaks chat
 * completions, OpenAI Responses, Anthropic Messages and Gemini, side by side and from the same script; another API is
 * another file like `chat-completions.ts` and a place in `APIS`. Requests that offer no tools do not use up the script.
 * Bounded: it answers so many requests, keeps so many, and stops by itself after its lifetime.
 *
 * As a program: `node test/model/scripted-model.ts SCRIPT.json [PORT]`, where the file holds an array of turns. It prints
 * its base URL on one line and runs until its lifetime is over or it is ended.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import { geminiContent } from './gemini-content.ts';
import type { Json, ModelApi, ServerEvent } from './model-api.ts';
import { responses } from './responses.ts';
import { type ModelRequest, type ScriptedTurn, TurnChooser } from './script.ts';

const APIS: readonly ModelApi[] = [chatCompletions, responses, anthropicMessages, geminiContent];

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface ScriptedModelOptions {
  readonly turns: readonly ScriptedTurn[];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** More are answered with status 429; default 200. */
  readonly maxRequests?: number;
  /** Default ten minutes. */
  readonly lifetimeMs?: number;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`; the OpenAI APIs answer there and under `/v1`, the others under their own paths. */
  readonly baseUrl: string;
  /** Every request that was answered, in order. */
  readonly requests: readonly ModelRequest[];
  /** Turns of the script that were not asked for. */
  readonly turnsLeft: number;
  close(): Promise<void>;
}

export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const chooser = new TurnChooser(options.turns);
  const requests: ModelRequest[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response, { chooser, requests, maxRequests: options.maxRequests ?? 200 }).catch((error) => {
      refuse(response, 400, error instanceof Error ? error.message : String(error));
    });
  });
  const port = await listen(server, options.port ?? 0);
  const close = () => stop(server);
  const timer = setTimeout(close, options.lifetimeMs ?? 600_000);
  timer.unref();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    get turnsLeft() {
      return chooser.left;
    },
    close() {
      clearTimeout(timer);
      return close();
    },
  };
}

interface Conversation {
  readonly chooser: TurnChooser;
  readonly requests: ModelRequest[];
  readonly maxRequests: number;
}

async function answer(incoming: IncomingMessage, response: ServerResponse, conversation: Conversation): Promise<void> {
  const path = new URL(incoming.url ?? '/', 'http://127.0.0.1').pathname;
  const api = incoming.method === 'POST' ? APIS.find((known) => known.serves(path)) : undefined;
  if (api === undefined) return answerAside(incoming, path, response);
  const body = JSON.parse(await readBody(incoming)) as Json;
  const sequence = conversation.requests.length + 1;
  if (sequence > conversation.maxRequests) return refuse(response, 429, 'the scripted model answers no more requests');
  const request = { path, headers: incoming.headers, body, ...api.read(body, path) };
  conversation.requests.push(request);
  const turn = conversation.chooser.next(request);
  await turn.until;
  const { fault } = turn;
  if (fault !== undefined && 'status' in fault)
    return refuse(response, fault.status, fault.message ?? 'as scripted', fault.headers);
  if (fault !== undefined) cutOff(response, api.answerEvents(turn, request, sequence));
  else if (request.stream) stream(response, api.answerEvents(turn, request, sequence));
  else sendJson(response, 200, api.wholeAnswer(turn, request, sequence));
}

/** Questions beside the conversation: how large a request is. Everything else is refused. */
async function answerAside(incoming: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
  const count = APIS.map((api) => api.countsTokens?.(path)).find((known) => known !== undefined);
  if (incoming.method !== 'POST' || count === undefined) {
    return refuse(response, 404, `a scripted model has no ${incoming.method} ${path}`);
  }
  await readBody(incoming);
  sendJson(response, 200, count);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`a request may have ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function stream(response: ServerResponse, events: readonly ServerEvent[]): void {
  response.writeHead(200, EVENT_STREAM);
  for (const event of events) response.write(eventText(event));
  response.end();
}

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/** Half of the longest event is the last that the program hears: that is where the call, or the text, stands. */
function cutOff(response: ServerResponse, events: readonly ServerEvent[]): void {
  const texts = events.map(eventText);
  const at = texts.reduce((longest, text, index) => (text.length > (texts[longest]?.length ?? 0) ? index : longest), 0);
  response.writeHead(200, EVENT_STREAM);
  for (const text of texts.slice(0, at)) response.write(text);
  const last = texts[at] ?? '';
  response.write(last.slice(0, last.length / 2), () => response.destroy());
}

function eventText({ event, data }: ServerEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error: { message, type: 'scripted_model' } }, headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

if (import.meta.main) {
  const [file, port] = process.argv.slice(2);
  if (file === undefined) {
    console.error('usage: node test/model/scripted-model.ts SCRIPT.json [PORT]');
    process.exit(64);
  }
  const turns = JSON.parse(readFileSync(file, 'utf8')) as ScriptedTurn[];
  const model = await startScriptedModel({ turns, port: Number(port ?? 0) });
  console.log(`${model.baseUrl}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void model.close());
}
