import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';

describe('shutdown', () => {
  it('finishes requests in progress before it closes what they need', async () => {
    const world = await World.start();
    let stopped: Promise<void> | null = null;
    try {
      const account = await world.account();
      const { name } = await approvedTemplate(world, account);
      await world.simulator.behave({ latency_ms: 700 });
      const phone = uniquePhone();
      const sending = account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: phone });
      await until('the network has the message', async () =>
        (await world.simulator.ledger(account.phone.phoneNumberId)).some(({ to }) => to === phone),
      );
      stopped = world.stop();
      expect(await sending).toMatchObject({ status: 200, body: { status: 'success' } });
      await stopped;
      await expect(account.api.get('/api/v1/contacts/')).rejects.toThrow();
    } finally {
      await (stopped ?? world.stop());
    }
  });
});
