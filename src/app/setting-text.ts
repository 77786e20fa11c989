/** How a setting that arrives as text (a variable, a flag) becomes the value that the settings file would hold. */
export type FromText = (text: string) => unknown;

/** Text that is no value of its kind; the message completes "NAME …". */
export class SettingTextError extends Error {}

export const asText: FromText = (text) => text;

export const asBoolean: FromText = (text) => {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new SettingTextError('must be 1, true, 0 or false');
};

export const asInteger: FromText = (text) => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SettingTextError('must be a whole number');
};

export const asCommaList: FromText = (text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** As in PATH: entries between colons. */
export const asPathList: FromText = (text) => text.split(':').filter((entry) => entry !== '');

export const asJson: FromText = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingTextError('must be JSON, such as ["scanner","--flag"]');
  }
};

/** The older bridge wrote `on`; anything else was off there. Here a word that is neither is an error, not a guess. */
export const asOlderNetwork: FromText = (text) => {
  if (text === 'on') return true;
  return text === 'off' ? false : asBoolean(text);
};

/** The older bridge still took `minimal` from before there was a scale of four. */
export const asOlderEffort: FromText = (text) => (text === 'minimal' ? 'low' : text);
