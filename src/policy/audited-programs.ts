import type { ReadOptions } from './read-options.ts';

const RIPGREP: ReadOptions = {
  short: 'abcFhHiIlnNopPqsSuUvVwx0.',
  shortValue: 'ABCegjmMrtTEd',
  shortPath: 'f',
  long: `ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count count-matches
    files-with-matches files-without-match line-number no-line-number column no-column heading no-heading with-filename
    no-filename only-matching hidden no-hidden no-ignore no-ignore-vcs no-messages multiline multiline-dotall pcre2 text
    binary files json stats trim null null-data quiet pretty vimgrep unrestricted type-list version help debug no-config passthru
    one-file-system max-columns-preview crlf`,
  longValue: `regexp glob iglob type type-not type-add after-context before-context context max-count max-columns max-depth
    max-filesize threads color colors sort sortr encoding replace engine context-separator field-match-separator path-separator`,
  longPath: 'file ignore-file',
  operands: 'pattern_then_paths',
  patternOptions: '-e -f --regexp --file --files --type-list',
};

/** The reading programs outside Git: those of the older bridge, and a few more as harmless. `sed` and `find` have a language of their own and stand in `audited-languages.ts`. */
export const AUDITED_PROGRAMS: Readonly<Record<string, ReadOptions>> = {
  cat: {
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    operands: 'paths',
  },
  ls: {
    short: 'aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1',
    shortValue: 'ITw',
    long: `all almost-all human-readable recursive reverse size inode directory classify group-directories-first no-group
      numeric-uid-gid full-time author escape file-type si literal quote-name`,
    longAttached: 'color sort time time-style format indicator-style quoting-style',
    longValue: 'ignore hide width',
    operands: 'paths',
  },
  rg: RIPGREP,
  // Not in the older bridge's list: as harmless as rg and cat, and agents reach for them first.
  grep: {
    short: 'EFGPciIlLnohHqsvwxzaTUrb0',
    shortValue: 'ABCemD',
    shortPath: 'f',
    long: `extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case count files-with-matches files-without-match
      line-number only-matching no-filename with-filename quiet silent no-messages invert-match word-regexp line-regexp
      null text recursive byte-offset initial-tab`,
    longAttached: 'color colour',
    longValue: `regexp max-count after-context before-context context include exclude exclude-dir binary-files`,
    longPath: 'file',
    numeric: true,
    operands: 'pattern_then_paths',
    patternOptions: '-e -f --regexp --file',
  },
  diff: {
    short: 'abBcdeEinNpqrsTtuwyZ',
    shortValue: 'CUIW',
    long: `brief report-identical-files unified context text ignore-case ignore-all-space ignore-space-change ignore-blank-lines
      ignore-trailing-space recursive new-file side-by-side minimal no-dereference show-c-function suppress-common-lines`,
    longAttached: 'unified context color',
    longValue: 'label width exclude ignore-matching-lines',
    operands: 'paths',
  },
  cmp: { short: 'bls', shortValue: 'in', long: 'print-bytes verbose silent quiet', operands: 'paths' },
  nl: { shortValue: 'bdfhilnsvw', short: 'p', operands: 'paths' },
  head: {
    short: 'qvz',
    shortValue: 'nc',
    long: 'quiet silent verbose zero-terminated',
    longValue: 'lines bytes',
    numeric: true,
    operands: 'paths',
  },
  tail: {
    short: 'qvz',
    shortValue: 'nc',
    long: 'quiet silent verbose zero-terminated',
    longValue: 'lines bytes',
    numeric: true,
    operands: 'paths',
  },
  wc: { short: 'cmlLw', long: 'bytes chars lines max-line-length words', longAttached: 'total', operands: 'paths' },
  cut: {
    short: 'nsz',
    shortValue: 'bcdf',
    long: 'complement only-delimited zero-terminated',
    longValue: 'bytes characters delimiter fields output-delimiter',
    operands: 'paths',
  },
  sort: {
    short: 'bdfgiMhnrRVcCmsuz',
    shortValue: 'kt',
    long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
      human-numeric-sort numeric-sort random-sort reverse version-sort merge stable unique zero-terminated`,
    longAttached: 'check sort',
    longValue: 'key field-separator',
    operands: 'paths',
  },
  // A second operand of uniq is the file that it writes.
  uniq: {
    short: 'cdDiuz',
    shortValue: 'fsw',
    long: 'count repeated ignore-case unique zero-terminated',
    longAttached: 'all-repeated group',
    longValue: 'skip-fields skip-chars check-chars',
    operands: 'paths',
    mostOperands: 1,
  },
  stat: { short: 'ft', shortValue: 'c', long: 'file-system terse', longValue: 'format printf', operands: 'paths' },
  file: {
    short: 'bikhNnrv0',
    shortValue: 'F',
    long: 'brief mime mime-type mime-encoding keep-going no-dereference no-pad raw version',
    longValue: 'separator',
    operands: 'paths',
  },
  pwd: { short: 'LP', long: 'logical physical', operands: 'none' },
  tree: {
    short: 'adfipsughDFrtcUvnCAS',
    shortValue: 'LPI',
    long: 'dirsfirst filesfirst noreport prune du si inodes device ignore-case matchdirs gitignore',
    longAttached: 'sort',
    operands: 'paths',
  },
  du: {
    short: 'abchkmsSx0',
    shortValue: 'dBt',
    long: 'all apparent-size bytes total human-readable summarize separate-dirs one-file-system si inodes',
    longValue: 'max-depth block-size threshold exclude',
    operands: 'paths',
  },
};
