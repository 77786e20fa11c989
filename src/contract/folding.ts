/**
 * How names are compared. A disk may fold letter case and Unicode composition (APFS, NTFS, ext4 with casefold), so two
 * names that differ in bytes can be one file. Each reading maps a text to the form in which it is compared.
 */

export type Reading = (text: string) => string;

/** HFS+ and ext4's casefold ignore these inside names: `.g\u200cit` opened `.git` (CVE-2014-9390). */
const IGNORED_BY_DISKS = /\p{Default_Ignorable_Code_Point}/gu;

/** The bytes as they are. */
export const exactly: Reading = (text) => text;

/** Canonically equivalent spellings are one name: NFC. */
export const composed: Reading = (text) => text.normalize('NFC');

/** NFC and lower case, letter by letter: a letter stays one letter, so `?` keeps its meaning. */
export const lowered: Reading = (text) =>
  isAscii(text) ? text.toLowerCase() : lowerEach(text.normalize('NFC')).normalize('NFC');

/** The widest reading that a disk may take: NFC, full case folding (`ß` is `ss`), invisible characters ignored. */
export const folded: Reading = (text) =>
  isAscii(text)
    ? text.toLowerCase()
    : lowerEach(text.normalize('NFC').replace(IGNORED_BY_DISKS, '').toUpperCase()).normalize('NFC');

/** Whether every reading but the exact one is the same as plain lower case. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Letter by letter, since JavaScript lowers a final sigma by its context, which no file system does. */
function lowerEach(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join('');
}

/** `.git` in any spelling that some disk takes for it (Git's own core.protectHFS and core.protectNTFS). */
const GIT_CONTROL = /^(?:\.git|git~1)[. ]*(?::.*)?$/s;

/** Whether one segment of a path names Git's own control data. No scope ever contains it. */
export function isGitControlName(segment: string): boolean {
  return GIT_CONTROL.test(folded(segment));
}
