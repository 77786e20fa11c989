import { sessionClient, statelessClient } from './programs/official-client.ts';
import { describeSupervisor } from './scenarios.ts';

describeSupervisor(sessionClient);
describeSupervisor(statelessClient);
