import { isAbsolute, normalize } from 'node:path';
import { z } from 'zod';
import { mayPass } from '../sandbox/index.ts';

/** A normalised absolute path. `~` is the shell's business: written here it would name a folder called "~". */
export const absolutePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine((path) => !path.startsWith('~'), {
    message: 'must be absolute; ~ is not expanded here, write your home directory out',
    abort: true,
  })
  .refine(isAbsolute, { message: 'must be an absolute path', abort: true })
  .refine((path) => !path.includes('\0'), 'must not hold a NUL character')
  .transform((path) => (path === '/' ? path : normalize(path).replace(/\/+$/, '') || '/'));

export const variableName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'must be the name of an environment variable', abort: true })
  .refine(mayPass, {
    error: ({ input }) =>
      `${input} never reaches a worker or a verification, since it can make a loader, an interpreter, a shell or Git run something else: take it out`,
  });
