/** Turns a title into a slug: lower case, words joined by single hyphens. */
export function slug(title) {
  return title.toLowerCase().replace(' ', '-');
}
