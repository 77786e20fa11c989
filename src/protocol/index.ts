/**
 * What the bundled worker and a Remit host say to each other beyond ACP, and how both judge what a worker claims.
 * Promises: pure; every message has one schema, used by both sides. Refuses: nothing by itself; neither side trusts the
 * other, each parses what it is sent and decides alone.
 */

export { type FileAnswer, type FileOrder, fileAnswerSchema, fileOrderSchema } from './file-orders.ts';
export {
  changeAnswerSchema,
  type Expectation,
  moveRequestSchema,
  readMetaSchema,
  removeRequestSchema,
  writeMetaSchema,
} from './files.ts';
export { gateAnswer, judgeClaim } from './judge.ts';
export { DENIED, META, METHODS, offersServices, SERVICES_OFFER } from './names.ts';
export { commandMetaSchema, commandResultSchema } from './terminal.ts';
export {
  type Claim,
  type ClaimAnswer,
  claimAnswerSchema,
  claimRequestSchema,
  type GateAnswer,
  gateAnswerSchema,
  type TurnFacts,
  turnFactsSchema,
} from './work.ts';
