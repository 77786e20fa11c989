import { isIP } from 'node:net';

/** What is wrong with an endpoint, to follow its name. */
export type EndpointProblem = string;

export function endpointProblem(baseUrl: string): EndpointProblem | undefined {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user or password; give the key by its variable';
  if (url.search !== '' || url.hash !== '') return 'must be a plain URL without ? or #';
  if (url.protocol === 'http:' && !isNearby(baseUrl))
    return 'must be https: a key must not cross a public network in the clear';
  return undefined;
}

/** An endpoint on this machine or in a private network, which may do without a key and without TLS. */
export function isNearby(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.internal') || host.endsWith('.local'))
    return true;
  if (isIP(host) === 4) return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)/.test(host);
  if (isIP(host) === 6) return /^(?:::1$|f[cd]|fe80:)/i.test(host);
  // A name without a dot is no public one.
  return !host.includes('.');
}

export function isLoopback(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname;
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host);
}

/** An endpoint as a person may read it anywhere: nothing in it can be a key. */
export function shownEndpoint(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? 'no URL' : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}
