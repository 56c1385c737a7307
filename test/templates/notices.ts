import { postCallback } from '../inbound/inbound.js';
import { until } from '../support/until.js';
import type { World } from '../support/world.js';

/** Posts a callback as the network does, which repeats it while Parley cannot take it. Expects that it is accepted. */
export async function postNotice(world: World, body: string): Promise<void> {
  const answer = await until('the notice is answered', async () => {
    const posted = await postCallback(world, body);
    return posted.status !== 503 && posted;
  });
  expect(answer.status).toBe(200);
}
