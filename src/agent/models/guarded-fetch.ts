/** A redirect is never followed: it would carry the key and the conversation to whoever the answer names. */
export const guardedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.status < 300 || response.status >= 400) return response;
  await response.body?.cancel().catch(() => {});
  throw new RedirectRefused(response.headers.get('location') ?? undefined);
};

export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
  /** The origin that it points to, when that is one. */
  readonly origin: string | undefined;

  constructor(location: string | undefined) {
    super('the endpoint answered with a redirect');
    this.origin = location === undefined ? undefined : URL.parse(location)?.origin;
  }
}
