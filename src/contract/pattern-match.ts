import type { Form } from './pattern.ts';

/** Whether the segments of a path match a form. At most segments × segments steps: nothing to blow up on a hostile name. */
export function matchesForm(form: Form, path: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let deep = -1;
  let resume = 0;
  while (at < path.length) {
    const segment = form[next];
    const name = path[at] ?? '';
    if (segment?.kind === 'deep') {
      deep = next;
      resume = at;
      next += 1;
    } else if (segment && (segment.kind === 'text' ? segment.text === name : matchesWild(segment.text, name))) {
      next += 1;
      at += 1;
    } else if (deep >= 0) {
      next = deep + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  return form.slice(next).every((rest) => rest.kind === 'deep');
}

/** The same for one segment: `*` any letters, `?` one code point (a lone surrogate, Remit's raw byte, counts as one). */
function matchesWild(wild: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (wild[next] === '*') {
      star = next;
      resume = at;
      next += 1;
    } else if (wild[next] === '?') {
      next += 1;
      at += letterWidth(name, at);
    } else if (wild[next] === name[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      next = star + 1;
      resume += letterWidth(name, resume);
      at = resume;
    } else {
      return false;
    }
  }
  return /^\**$/.test(wild.slice(next));
}

function letterWidth(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
