import { Writable } from 'node:stream';

/**
 * Takes standard output for the protocol. Whatever else in this process writes there afterwards (`console.log`, a
 * library) comes out on standard error: one stray line would make a client give up the connection.
 */
export function claimStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  // The same error reaches the writer through its callback; without a listener it would end the process at once.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk, (error) => done(error ?? null));
    },
  });
}
