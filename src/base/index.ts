/**
 * Words without a domain: coded errors, canonical JSON, byte-exact paths, visible text, redaction, the log's shape.
 * Promises: pure, no I/O, no clock. Refuses: anything that knows what a task is.
 */
export { decodePath, encodePath } from './byte-path.ts';
export { canonicalJson, sha256 } from './canonical-json.ts';
export {
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  NEXT_ACTIONS,
  type NextAction,
  RemitError,
  type RemitErrorOptions,
} from './errors.ts';
export { hideSecretsOf } from './known-secrets.ts';
export { LOG_LEVELS, type Log, type LogLevel, silentLog } from './log.ts';
export { redact, redactDeep } from './redaction.ts';
export { decodeText, encodeText, type TextContent } from './text-content.ts';
export { commonBreak, type LineBreak, splitLines, withBreaks, withoutBreak } from './text-lines.ts';
export { truncateUtf8, visibleLine, visibleText } from './visible-text.ts';
