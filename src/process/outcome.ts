/** How a program's life ended, as far as its parent can know. */
export type Outcome =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not_started'; readonly reason: string; readonly errno?: string };
