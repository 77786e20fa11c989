/**
 * The durable memory of all Remit processes of one user: tasks with their events, receipts, verifications and
 * interactions, in one SQLite file. Promises: a transaction happens wholly or not at all and is on the disk when it
 * returns; processes that share the store lose nothing of each other; a newer or damaged database is refused by name
 * and never deleted or overwritten. Refuses: to know what a row means. Documents are JSON that `task/` owns.
 */
export { isPassing } from './database-error.ts';
export type {
  Owner,
  StoredEvent,
  StoredInteraction,
  StoredReceipt,
  StoredTask,
  StoredVerification,
} from './rows.ts';
export { openStore, type Store } from './store.ts';
export type { NewTask, TaskChange, TaskFilter, Transaction } from './transaction.ts';
