import { crc32, deflateSync } from 'node:zlib';

const [WIDTH, HEIGHT] = [480, 320];
const [SKY, EARTH, POT] = [
  [214, 228, 224],
  [151, 129, 105],
  [186, 92, 62],
] as const;
/** Pixels have eight bits of each of three colours. */
const [DEPTH, COLOURS] = [8, 2];
const HORIZON = 230;

/** A picture of a pot with a crack, as a PNG file. */
export function picture(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    // Each row begins with its filter: none.
    Buffer.from([0, ...Array.from({ length: WIDTH }, (_, x) => colourAt(x, y)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([DEPTH, COLOURS], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(x: number, y: number): readonly [number, number, number] {
  const fromMiddle = Math.abs(x - WIDTH / 2);
  const isRim = y >= 96 && y < 122 && fromMiddle < 104;
  const isBody = y >= 122 && y < 268 && fromMiddle < 92 - (y - 122) / 5;
  const isCrack = y > 110 && y < 220 && Math.abs(x - 262 - 9 * Math.sin(y / 7)) < 2.5;
  if (isRim || isBody) return isCrack ? [72, 44, 34] : POT;
  return y < HORIZON ? SKY : EARTH;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
