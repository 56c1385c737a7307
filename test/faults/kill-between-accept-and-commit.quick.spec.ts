import { KilledSend } from './killed-send.js';

jest.setTimeout(900_000);

describe('a send whose service is killed with kill -9 after the network accepted it', () => {
  const sandbox = new KilledSend();
  beforeAll(() => sandbox.start());
  afterAll(() => sandbox.clear());

  it('is sent once, and its reports settle it after the restart', async () => {
    const contact = '4915200000001';
    const accepted = await sandbox.killBetweenAcceptAndCommit(contact, { status_delay_ms: 200 });
    await sandbox.start();
    const message = await sandbox.untilStatus(contact, 'read');
    expect(message).toMatchObject({
      message_id: accepted.biz_opaque_callback_data,
      network_message_id: accepted.id,
      error_code: null,
    });
    expect(await sandbox.ledger(contact)).toEqual([accepted]);
  });

  it('is sent once, and fails after the horizon if no report arrives', async () => {
    const contact = '4915200000002';
    const accepted = await sandbox.killBetweenAcceptAndCommit(contact, { statuses: [] });
    await sandbox.endHorizon();
    await sandbox.start();
    const message = await sandbox.untilStatus(contact, 'failed');
    expect(message).toMatchObject({ message_id: accepted.biz_opaque_callback_data, error_code: 900002 });
    expect(await sandbox.ledger(contact)).toEqual([accepted]);
  });
});
