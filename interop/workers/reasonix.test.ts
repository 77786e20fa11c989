import { reasonix } from './programs/reasonix.ts';
import { describeWorker } from './scenarios.ts';

describeWorker(reasonix);
