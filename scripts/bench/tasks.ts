/** Whole tasks, from delegate to commit, beside the floor; and the server's memory after many of them. */
import { FLOOR_DELEGATE, FLOOR_FINALIZE, floorDelegate, floorFinalize, removeFloor } from './floor.ts';
import { type Measurement, Times } from './measure.ts';
import { Place } from './place.ts';
import { Server } from './server.ts';

const ROUNDS: Readonly<Record<number, number>> = { 100: 11, 10000: 5, 50000: 3 };
/** No further round begins after this long at one size, so that a slow disk does not make an evening of it. */
const BUDGET_MS = 60_000;
const MEMORY_TASKS = 20;
const PROMPTED = 'delegate: worker has its prompt';
const ANSWERED = 'delegate: background answer';
const REVIEWED = 'delegate: review required';
const SNAPSHOT = 'review: from the answer of the worker';
const COMMITTED = 'finalize: call to commit';

export async function measureTasks(files: number, rounds = ROUNDS[files] ?? 3): Promise<Measurement[]> {
  const place = new Place(files);
  const times = new Times();
  try {
    const server = await Server.start(place);
    try {
      // What a first task alone does (probe of the sandbox, loading of modules) is not asked here. Where it is lost in
      // what so many files cost, it is counted nevertheless.
      const begin = performance.now();
      for (let round = files > 10_000 ? 0 : -1; round < rounds; round += 1) {
        if (round > 0 && performance.now() - begin > BUDGET_MS) break;
        await oneRound(place, server, round, round < 0 ? new Times() : times);
      }
    } finally {
      await server.close();
    }
  } finally {
    place.remove();
  }
  const small = files <= 100;
  return [
    times.measurement(ANSWERED, { files, floor: FLOOR_DELEGATE, ...(small && { target: { most: 350, of: 'unit' } }) }),
    times.measurement(PROMPTED, { files, floor: FLOOR_DELEGATE, ...(small && { target: { most: 350, of: 'unit' } }) }),
    times.measurement(REVIEWED, { files, floor: FLOOR_DELEGATE }),
    times.measurement(SNAPSHOT, { files }),
    times.measurement(COMMITTED, {
      files,
      floor: FLOOR_FINALIZE,
      ...(small && { target: { most: 250, of: 'unit' } }),
      ...(files >= 50_000 && { target: { most: 1.1, of: 'floor' } }),
    }),
  ];
}

async function oneRound(place: Place, server: Server, round: number, times: Times): Promise<void> {
  const worktree = await floorDelegate(place, round + 1, times);
  await remitTask(server, `round-${round + 1}`, times);
  await floorFinalize(place, worktree, round + 1, times);
  removeFloor(place, worktree);
}

async function remitTask(server: Server, taskId: string, times: Times): Promise<void> {
  const start = performance.timeOrigin + performance.now();
  await times.time(ANSWERED, () => server.delegateInBackground(taskId));
  const status = await server.reviewed(taskId);
  const reviewed = performance.timeOrigin + performance.now();
  const { prompted, answered } = server.agentTimes(taskId);
  times.add(PROMPTED, prompted - start);
  times.add(REVIEWED, reviewed - start);
  times.add(SNAPSHOT, reviewed - answered);
  await server.quiet();
  await times.time(COMMITTED, () => server.finalize(status));
}

/** Resident memory of the server when it has started, and after tasks one after the other. */
export async function measureMemory(): Promise<Measurement[]> {
  const place = new Place(100);
  const times = new Times();
  const after = `memory of the server after ${MEMORY_TASKS} tasks`;
  try {
    const server = await Server.start(place);
    try {
      times.add('memory of the server at start', server.memory() ?? Number.NaN);
      for (let task = 0; task < MEMORY_TASKS; task += 1) await remitTask(server, `memory-${task}`, new Times());
      times.add(after, server.memory() ?? Number.NaN);
    } finally {
      await server.close();
    }
  } finally {
    place.remove();
  }
  return [
    times.measurement('memory of the server at start', { files: 100, unit: 'MiB' }),
    times.measurement(after, { files: 100, unit: 'MiB', target: { most: 150, of: 'unit' } }),
  ];
}
