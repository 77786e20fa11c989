import { z } from 'zod';
import { ADAPTER_NAMES } from '../worker/index.ts';
import { absolutePath, variableName } from './setting-shapes.ts';

const egressTarget = z
  .string()
  .max(300)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]):(?:[1-9]\d{0,4})$/,
    'must be host:port, such as api.example.com:443',
  )
  .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, 'has a port over 65535');

const common = {
  model: z.string().min(1).max(200).optional().describe('The model to choose where the agent offers a choice.'),
  env: z
    .array(variableName)
    .max(100)
    .default([])
    .describe(
      'Names of variables of the host that this worker may see, such as the one with its API key; PATH, CI, TERM and USER are always set by Remit.',
    ),
  egress: z
    .array(egressTarget)
    .max(100)
    .optional()
    .describe(
      "host:port targets that this worker may reach; without it the adapter's own list. Kept for the egress gateway: this version does not enforce it yet.",
    ),
  writable: z
    .array(absolutePath)
    .max(20)
    .default([])
    .describe(
      'Absolute folders outside the worktree that this worker may write: an exception to the contract, shown in every review.',
    ),
};

const command = z
  .array(z.string().min(1).max(4_096))
  .min(1)
  .max(100)
  .refine(([program = '']) => program.startsWith('/') || !program.includes('/'), {
    message: 'must start with an absolute path or a bare name that is looked up in PATH',
    path: [0],
  })
  .describe('Program and arguments of an agent that speaks ACP v1 on stdio; never a shell command line.');

/** One entry of `workers` in the settings file. */
export const workerSchema = z.discriminatedUnion('adapter', [
  z.strictObject({
    adapter: z
      .enum(ADAPTER_NAMES)
      .describe(
        'The family of the agent. With acp it is known by the name of its program; an agent of no known family works too.',
      ),
    command,
    ...common,
  }),
  z.strictObject({
    adapter: z.literal('builtin').describe('The worker that comes with Remit.'),
    ...common,
    model: z.string().min(1).max(200).describe('The model that the bundled worker uses.'),
  }),
]);

export const workersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is no name for a worker: use letters, digits, . _ -'),
  workerSchema,
);

export type ConfiguredWorker = z.output<typeof workerSchema>;
export type ConfiguredWorkers = z.output<typeof workersSchema>;
