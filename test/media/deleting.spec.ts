import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BackgroundUnitOfWork } from '../../src/database/unit-of-work.js';
import { DiscardedFilesSweep } from '../../src/media/discarded-files.sweep.js';
import { ExpiredFilesSweep } from '../../src/media/expired-files.sweep.js';
import { mediaKey } from '../../src/media/media-key.js';
import { MediaStore } from '../../src/media/media-store.js';
import { MessageMedia } from '../../src/media/message-media.js';
import { OrphanedFilesSweep } from '../../src/media/orphaned-files.sweep.js';
import { newRecordId } from '../../src/values/record-id.js';
import { until } from '../support/until.js';
import { png } from './media-network.js';
import { type ArrivedFile, MediaWorld, pathOf } from './media-world.js';

const DAY_S = 24 * 3600;

describe('files of inbound messages are deleted', () => {
  let media: MediaWorld;

  beforeAll(async () => {
    media = await MediaWorld.start();
  });
  afterAll(() => media.stop());

  const stored = async (): Promise<ArrivedFile> => {
    const id = media.network.hold({ bytes: png(), mimeType: 'image/png' });
    const file = await media.arrive(await media.account(), id, { filename: 'me.png' });
    await media.untilStatus(file, 'stored');
    return file;
  };
  const placeOf = ({ account, messageId }: ArrivedFile): string =>
    path.join(media.world.environment.media.directory, mediaKey({ accountId: account.accountId, messageId }));
  const exists = async (file: ArrivedFile): Promise<boolean> =>
    (await media.stored()).some((each) => each.endsWith(file.messageId));
  const untilForgotten = (file: ArrivedFile) =>
    until('row and file are gone', async () => (await media.rowOf(file)) === null && !(await exists(file)));
  const store = () => media.world.parley.app.get(MediaStore);
  const background = () => media.world.parley.app.get(BackgroundUnitOfWork);
  const age = async (place: string, days: number): Promise<void> => {
    const at = Date.now() / 1000 - days * DAY_S;
    await utimes(place, at, at);
  };

  it('with their person, whose export has named them', async () => {
    const file = await stored();
    const { api } = file.account;
    const { body } = await api.get<{ message_record: { contact_id: string } }>(`/api/v1/messages/${file.messageId}`);
    const contact = `/api/v1/contacts/${body.message_record.contact_id}`;
    const exported = await api.get<{ messages: unknown[] }>(`${contact}/export`);
    expect(exported.body.messages).toEqual([
      expect.objectContaining({ file: expect.objectContaining({ filename: 'me.png', status: 'stored' }) }),
    ]);
    expect((await api.delete(`${contact}?erase=true`)).status).toBe(200);
    // At once for readers, and soon on the disk.
    expect((await api.get(pathOf(file))).status).toBe(404);
    await untilForgotten(file);
  });

  it('with their message, also while they are fetched', async () => {
    const file = await stored();
    const service = media.world.parley.app.get(MessageMedia);
    const discard = ({ account, messageId }: ArrivedFile) =>
      media.world.unitOfWork.transaction((tx) => service.discard(account.accountId, [messageId], tx));
    await discard(file);
    await untilForgotten(file);

    const bytes = png(1000);
    let finish: () => void = () => undefined;
    let isBegun = false;
    const id = media.network.hold({
      bytes,
      mimeType: 'image/png',
      serve: (response) => {
        response.writeHead(200).write(bytes.subarray(0, 10));
        finish = () => response.end(bytes.subarray(10));
        isBegun = true;
      },
    });
    const fetched = await media.arrive(await media.account(), id);
    await until('the download has begun', () => isBegun);
    await discard(fetched);
    expect((await media.rowOf(fetched))?.status).toBe('discarded');
    finish();
    await untilForgotten(fetched);
  });

  it('when a process died between the two', async () => {
    const file = await stored();
    await media.world.unitOfWork.autocommit.affected(
      `UPDATE media_files SET status = 'discarded' WHERE account_id = $1`,
      [file.account.accountId],
    );
    await store().delete(mediaKey({ accountId: file.account.accountId, messageId: file.messageId }));
    await new DiscardedFilesSweep(background(), store()).run();
    await untilForgotten(file);
  });

  it('after MEDIA_RETENTION_DAYS, but never after their messages', async () => {
    const [old, recent] = [await stored(), await stored()];
    const aged = { ...old, messageId: `0186${newRecordId().slice(4)}` };
    await media.world.unitOfWork.autocommit.affected('UPDATE media_files SET message_id = $2 WHERE account_id = $1', [
      old.account.accountId,
      aged.messageId,
    ]);
    const place = placeOf(aged);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, 'old');
    const sweep = (messageRetentionDays: number) =>
      new ExpiredFilesSweep(background(), store(), {
        retentionDays: 30,
        auditRetentionDays: 365,
        mediaRetentionDays: 365,
        messageRetentionDays,
      }).run();
    expect(await sweep(0)).toBe(true);
    expect(await media.rowOf(aged)).toMatchObject({ status: 'gone', reason: 'files are kept for 365 days' });
    expect([await exists(aged), await exists(recent)]).toEqual([false, true]);

    expect(await sweep(30)).toBe(true);
    await untilForgotten(aged);
    expect(await exists(recent)).toBe(true);
  });

  it('when nothing belongs to them; and what is missing is fetched again, or gone until it is found', async () => {
    const [file, lost] = [await stored(), await stored()];
    const directory = media.world.environment.media.directory;
    const orphan = placeOf({ ...file, messageId: newRecordId() });
    const foreign = path.join(directory, newRecordId(), '2026-01-01', newRecordId());
    const leftover = path.join(directory, '.incoming', 'left-by-a-killed-worker');
    for (const place of [orphan, foreign, leftover]) {
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, 'x');
      await age(place, 2);
    }
    await media.world.unitOfWork.autocommit.affected(
      `UPDATE media_files SET received_at = now() - interval '30 days' WHERE account_id = $1`,
      [lost.account.accountId],
    );
    await store().delete(mediaKey({ accountId: lost.account.accountId, messageId: lost.messageId }));
    const sweep = () => new OrphanedFilesSweep(background(), store()).run();
    expect(await sweep()).toBe(true);
    const left = await media.stored();
    expect(left.filter((each) => [orphan, leftover].includes(path.join(directory, each)))).toEqual([]);
    // Another installation may share the directory.
    expect(left.map((each) => path.join(directory, each))).toContain(foreign);
    expect(await exists(file)).toBe(true);
    expect(await media.rowOf(lost)).toMatchObject({ status: 'gone', reason: expect.stringContaining('missing') });

    await mkdir(path.dirname(placeOf(lost)), { recursive: true });
    await writeFile(placeOf(lost), png());
    await age(placeOf(lost), 2);
    expect(await sweep()).toBe(true);
    expect(await media.rowOf(lost)).toMatchObject({ status: 'stored' });
    expect(await readdir(path.dirname(placeOf(lost)))).toContain(lost.messageId);
  });
});
