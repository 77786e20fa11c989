/** How rooms report what an operator may want to read later. The face that opens the log decides where it goes. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = (level: LogLevel, message: string, facts?: Record<string, unknown>) => void;

export const silentLog: Log = () => {};
