/** Numbers as people read them. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `340 ms`, `12.4 s`, `1m 12s`, `2h 05m`, `3d 4h`. */
export function durationText(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < SECOND) return `${ms} ms`;
  if (ms < 59_950) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  return `${Math.floor(ms / DAY)}d ${Math.floor((ms % DAY) / HOUR)}h`;
}

/** How long ago, in one unit: `now`, `12s`, `5m`, `3h`, `2d`. A clock that was set back counts as now. */
export function ageText(since: string, now: Date): string {
  const ms = now.getTime() - Date.parse(since);
  if (Number.isNaN(ms)) return '?';
  if (ms < SECOND) return 'now';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  return ms < DAY ? `${Math.floor(ms / HOUR)}h` : `${Math.floor(ms / DAY)}d`;
}

/** The time of day here, `14:05:09`. */
export function clockText(timestamp: string): string {
  const time = new Date(timestamp);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
}

/** `950`, `18.2k`, `3.4M`. */
export function countText(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `312 bytes`, `12.0 KiB`, `3.1 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 1_048_525 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheHitRatio: number | null;
  readonly estimatedCost: number | null;
  readonly currency: string | null;
}

/** `18.2k tokens in (93% cached), 950 out, 0.0123 USD`; what the worker did not report is left out. */
export function usageText({ promptTokens, completionTokens, cacheHitRatio, estimatedCost, currency }: Usage): string {
  const cached = cacheHitRatio === null ? '' : ` (${Math.round(cacheHitRatio * 100)}% cached)`;
  const tokens = `${countText(promptTokens)} tokens in${cached}, ${countText(completionTokens)} out`;
  const parts = [
    ...(promptTokens + completionTokens === 0 ? [] : [tokens]),
    ...(estimatedCost === null ? [] : [costText(estimatedCost, currency)]),
  ];
  return parts.join(', ') || 'nothing';
}

/** Four digits that say something: what costs little is not shown as nothing. */
export function costText(amount: number, currency: string | null): string {
  const number = amount >= 1 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(3);
  return currency === null ? number : `${number} ${currency}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
