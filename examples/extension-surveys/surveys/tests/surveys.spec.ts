import { DAY, newRecordId } from 'parley';
import { Receiver, sentUpstream, subscribe, type TestAccount, uniquePhone, until, World } from 'parley/testing';
import { SurveysSweep } from '../surveys.sweep.js';
import { ask, createSurvey, SURVEYS, tap } from './asking.js';

interface Results {
  readonly results: readonly { readonly option: string; readonly answers: number }[];
}

interface Answers {
  readonly answers: readonly { readonly contact_id: string; readonly answer: string }[];
}

describe('surveys', () => {
  let world: World;
  let account: TestAccount;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const resultsOf = async (id: string) => {
    const { body } = await account.api.get<Results>(SURVEYS + id);
    return body.results.map(({ answers }) => answers);
  };
  const answersTo = async (id: string) => {
    const { body } = await account.api.get<Answers>(`${SURVEYS}${id}/answers`);
    return body.answers.map(({ contact_id, answer }) => [contact_id, answer]);
  };
  /** Sends a survey to a new contact, who taps these buttons one after another. */
  const answer = async (id: string, ...options: (number | string)[]) => {
    const asked = await ask(world, account, id, uniquePhone());
    for (const option of options) await tap(world, account, asked, option);
    return asked;
  };
  const change = (id: string, columns: string) =>
    world.unitOfWork.autocommit.affected(`UPDATE surveys_surveys SET ${columns} WHERE account_id = $1 AND id = $2`, [
      account.accountId,
      id,
    ]);
  /** Runs the daily sweep, and waits for what comes of it. */
  const sweep = async (what: string, isDone: () => Promise<boolean>) => {
    expect(await world.parley.app.get(SurveysSweep).run()).toBe(true);
    await until(what, isDone);
  };
  const isCounted = (id: string) => async () => {
    const find = 'SELECT 1 AS found FROM surveys_surveys WHERE account_id = $1 AND id = $2 AND counts IS NOT NULL';
    return (await world.unitOfWork.autocommit.row(find, [account.accountId, id])) !== null;
  };

  describe('are created', () => {
    it('with a question, options, and the time at which they close', async () => {
      const closes_at = new Date(Date.now() + DAY).toISOString();
      expect(await createSurvey(account, { closes_at })).toEqual({
        id: expect.any(String),
        question: 'Did you like it?',
        options: ['Yes', 'No'],
        closes_at,
        created_at: expect.any(String),
      });
    });

    it('for 30 days by default', async () => {
      const { closes_at } = await createSurvey(account);
      expect(Math.round((Date.parse(closes_at) - Date.now()) / DAY)).toBe(30);
    });

    it.each([
      [{ options: [] }, 'options must have at least 1 entry (got 0); each is a button'],
      [{ options: ['A', 'B', 'C', 'D'] }, 'options must have at most 3 entries (got 4)'],
      [{ options: ['Yes', ' '] }, 'options[1] must not be blank'],
      [{ options: ['Yes', 'Yes'] }, 'options must differ (got "Yes" twice)'],
      [{ options: ['x'.repeat(21)] }, /^options\[0\] must be a string of at most 20 characters/],
      [{ closes_at: '2020-01-01T00:00:00Z' }, 'closes_at must be in the future (got 2020-01-01T00:00:00.000Z)'],
    ])('but not with %j (400)', async (wrong, message) => {
      const { status, body } = await account.api.post(SURVEYS, { question: 'Why?', options: ['Yes'], ...wrong });
      expect({ status, message: body['message'] }).toEqual({
        status: 400,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
    });
  });

  describe('are sent', () => {
    it('with a button for each option', async () => {
      const { id } = await createSurvey(account);
      await answer(id);
      const [message] = await sentUpstream(world, account.phone);
      const buttons = ['Yes', 'No'].map((title, index) => ({
        type: 'reply',
        reply: { id: `surveys:${id}:${index + 1}`, title },
      }));
      expect(message).toMatchObject({
        interactive: { type: 'button', body: { text: 'Did you like it?' }, action: { buttons } },
      });
    });

    it('only to contacts who have written within the last 24 hours (403)', async () => {
      const { id } = await createSurvey(account);
      const { status } = await account.api.post(`${SURVEYS}${id}/send`, { contact_phone: uniquePhone() });
      expect(status).toBe(403);
    });

    it('only until they close (409)', async () => {
      const { id } = await createSurvey(account);
      await change(id, "closes_at = '2020-01-01T00:00:00Z'");
      expect(await account.api.post(`${SURVEYS}${id}/send`, { contact_phone: uniquePhone() })).toMatchObject({
        status: 409,
        body: { message: `survey ${id} is closed since 2020-01-01T00:00:00.000Z; create another one` },
      });
    });

    it('only if they exist (404)', async () => {
      const { status } = await account.api.post(`${SURVEYS}${newRecordId()}/send`, { contact_phone: uniquePhone() });
      expect(status).toBe(404);
    });
  });

  describe('are answered', () => {
    it('by a tap, which the results count', async () => {
      const { id } = await createSurvey(account);
      const [yes, no, none] = [await answer(id, 1), await answer(id, 2), await answer(id)];
      expect(await resultsOf(id)).toEqual([1, 1]);
      expect(await answersTo(id)).toEqual([
        [no.contactId, 'No'],
        [yes.contactId, 'Yes'],
      ]);
      await tap(world, account, none, 1);
      expect(await resultsOf(id)).toEqual([2, 1]);
    });

    it('once by each contact', async () => {
      const { id } = await createSurvey(account);
      await answer(id, 1, 2, 2);
      expect(await resultsOf(id)).toEqual([1, 0]);
    });

    it('with none of the buttons of others', async () => {
      const { id } = await createSurvey(account);
      const stranger = await world.account();
      const { id: foreign } = await createSurvey(stranger);
      await answer(
        id,
        'yes',
        `surveys:${id}:3`,
        `surveys:${id}:0`,
        `surveys:${newRecordId()}:1`,
        `surveys:${foreign}:1`,
      );
      expect(await resultsOf(id)).toEqual([0, 0]);
      expect((await stranger.api.get<Results>(SURVEYS + foreign)).body.results[0]?.answers).toBe(0);
    });

    it('and tell the webhooks that ask for surveys.answered', async () => {
      const [asking, other] = [await Receiver.listen(), await Receiver.listen()];
      await subscribe(account, { url: asking.url(), subscribed_events: ['surveys.answered'] });
      await subscribe(account, { url: other.url() });
      const { id } = await createSurvey(account);
      const { contactId } = await answer(id, 2, 1);
      const { body } = await until('the event has arrived', () => asking.received[0]);
      expect(JSON.parse(body.toString('utf8'))).toEqual({
        event: 'surveys.answered',
        timestamp: expect.any(String),
        survey: { survey_id: id, contact_id: contactId, question: 'Did you like it?', answer: 'No' },
      });
      await until('the other events have arrived', () => other.received.length >= 5);
      expect(asking.received).toHaveLength(1);
      expect(other.received.filter(({ body: each }) => each.includes('surveys.answered'))).toEqual([]);
      await Promise.all([asking.close(), other.close()]);
    });
  });

  describe('that have closed', () => {
    it('are counted, and take no more answers', async () => {
      const { id } = await createSurvey(account);
      await answer(id, 1);
      const late = await answer(id);
      await change(id, "closes_at = now() - interval '1 second'");
      await tap(world, account, late, 2);
      expect(await resultsOf(id)).toEqual([1, 0]);
      await sweep('the survey is counted', isCounted(id));
      await tap(world, account, late, 2);
      expect(await resultsOf(id)).toEqual([1, 0]);
    });

    it('lose their answers after 90 days, and keep their results', async () => {
      const { id } = await createSurvey(account);
      await answer(id, 1);
      await change(id, "closes_at = now() - interval '91 days', closed_at = now() - interval '89 days'");
      await sweep('the survey is counted', isCounted(id));
      expect(await answersTo(id)).toHaveLength(1);
      await change(id, "closed_at = now() - interval '91 days'");
      await sweep('the answers are gone', async () => (await answersTo(id)).length === 0);
      expect(await resultsOf(id)).toEqual([1, 0]);
    });
  });

  describe('keep the answers of a person', () => {
    it('in the export of the contact', async () => {
      const { id } = await createSurvey(account);
      const { contactId } = await answer(id, 2);
      expect((await account.api.get(`/api/v1/contacts/${contactId}/export`)).body).toMatchObject({
        surveys: [{ survey_id: id, question: 'Did you like it?', answer: 'No', answered_at: expect.any(String) }],
      });
    });

    it('until the contact is erased', async () => {
      const { id } = await createSurvey(account);
      const { contactId } = await answer(id, 2);
      await account.api.delete(`/api/v1/contacts/${contactId}?erase=true`);
      expect([await answersTo(id), await resultsOf(id)]).toEqual([[], [0, 0]]);
    });

    it('when two contacts turn out to be one: the first answer to each survey', async () => {
      const [both, one] = [await createSurvey(account), await createSurvey(account)];
      const [gone, kept] = [await answer(both.id), await answer(both.id, 2)];
      await tap(world, account, gone, 1, 60);
      await tap(world, account, await ask(world, account, one.id, gone.contactPhone), 1);
      await account.api.delete(`/api/v1/contacts/${gone.contactId}`);
      await account.api.patch(`/api/v1/contacts/${kept.contactId}`, { phone_number: gone.contactPhone });
      expect(await answersTo(both.id)).toEqual([[kept.contactId, 'Yes']]);
      expect(await answersTo(one.id)).toEqual([[kept.contactId, 'Yes']]);
    });
  });
});
