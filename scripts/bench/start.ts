/** How long the command takes to be there. */
import { type Measurement, Times } from './measure.ts';
import { Place, REMIT } from './place.ts';
import { Server } from './server.ts';

const ROUNDS = 11;

export async function measureStart(): Promise<Measurement[]> {
  const place = new Place(10);
  const times = new Times();
  try {
    for (let round = -1; round < ROUNDS; round += 1) await oneRound(place, round < 0 ? new Times() : times);
  } finally {
    place.remove();
  }
  return [
    times.measurement('start: remit version', { floor: 'node -e 0' }),
    times.measurement('start: remit serve, initialize answered', { floor: 'node -e 0' }),
  ];
}

/** The floor, the command and the server take turns, so that a busy moment of the machine meets all of them. */
async function oneRound(place: Place, times: Times): Promise<void> {
  await times.time('node -e 0', () => place.run(process.execPath, ['-e', '0']));
  await times.time('start: remit version', () => place.run(REMIT, ['version']));
  const server = await times.time('start: remit serve, initialize answered', () => Server.start(place));
  await server.close();
}
