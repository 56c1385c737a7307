import { World } from '../../support/world.js';

it('leaves a service', async () => {
  await World.start();
});
