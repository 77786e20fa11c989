import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputCapture } from './index.ts';

const longChunks = fc.array(fc.uint8Array({ minLength: 80, maxLength: 300 }), { minLength: 6, maxLength: 12 });
const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });

test('captured output counts and digests everything, and never keeps more than its limit', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 0, max: 600 }), (parts, limit) => {
      const capture = new OutputCapture(limit);
      for (const part of parts) capture.add(Buffer.from(part));
      const all = Buffer.concat(parts);
      const { bytes, totalBytes, sha256, truncated } = capture.finish();
      expect([totalBytes, truncated]).toEqual([all.length, all.length > limit]);
      expect(sha256).toBe(createHash('sha256').update(all).digest('hex'));
      expect(bytes.length).toBeLessThanOrEqual(limit);
      if (!truncated) expect(bytes).toEqual(all);
    }),
  );
});

test('captured output over the limit is the true head and tail with the number of missing bytes between', () => {
  fc.assert(
    fc.property(longChunks, fc.integer({ min: 70, max: 400 }), (parts, limit) => {
      const all = Buffer.concat(parts);
      const capture = new OutputCapture(limit);
      for (const part of parts) capture.add(Buffer.from(part));
      const kept = capture.finish().bytes;
      const tailBytes = Math.floor((limit - 64) / 2);
      const headBytes = limit - 64 - tailBytes;
      const marker = `\n[${all.length - headBytes - tailBytes} bytes left out]\n`;
      expect(kept).toEqual(
        Buffer.concat([all.subarray(0, headBytes), Buffer.from(marker), all.subarray(all.length - tailBytes)]),
      );
    }),
  );
});
