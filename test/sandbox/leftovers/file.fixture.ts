import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

it('leaves a file', () => writeFileSync(path.join(tmpdir(), 'forgotten.txt'), 'x'));
