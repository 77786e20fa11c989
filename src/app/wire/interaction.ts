/** A question or permission request of the worker that only the supervisor may answer. */
import { z } from 'zod';
import { interactionSchema } from '../../task/index.ts';

const { description = '' } = interactionSchema.shape.request;

/** The wire promises nothing about what a request holds. */
export const interactionWireSchema = interactionSchema.extend({ request: z.looseObject({}).describe(description) });
