import { builtin } from './programs/builtin.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(builtin);
