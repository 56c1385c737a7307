import { once } from 'node:events';
import { createServer } from 'node:net';

it('leaves a server', () => once(createServer().listen(0, '127.0.0.1'), 'listening'));
