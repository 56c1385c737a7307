import { newRecordId } from 'parley';
import { type ListWalk, type ModuleRecords, type TestAccount, uniquePhone, type World } from 'parley/testing';
import { insertAnswer } from '../survey-answers.queries.js';
import { ask, createSurvey, tap } from './asking.js';

const ALL_ACCOUNTS = 'the daily sweep works for all accounts';

/** Creates a survey, which a contact answers without being asked. */
async function answered(world: World, account: TestAccount, contactId: string): Promise<{ survey_id: string }> {
  const { id: surveyId } = await createSurvey(account);
  const answer = { surveyId, contactId, choice: 1, answeredAt: new Date() };
  await insertAnswer(account.accountId, answer, world.unitOfWork.autocommit);
  return { survey_id: surveyId };
}

/** Another contact of the account. */
async function newContact({ api }: TestAccount): Promise<string> {
  const contact = { phone_number: uniquePhone(), first_name: 'Grace' };
  const { body } = await api.post<{ contact: { id: string } }>('/api/v1/contacts/', contact);
  return body.contact.id;
}

const surveys: ListWalk = { table: 'surveys_surveys', fresh: () => ({ id: newRecordId() }), shown: ['id', 'id'] };
const answers: ListWalk = {
  table: 'surveys_answers',
  fresh: async (_, { account }) => ({ contact_id: await newContact(account) }),
  shown: ['contact_id', 'contact_id'],
};

/** What the tests over every route, table, event and person must know of surveys. */
const RECORDS: ModuleRecords = {
  create: (world, account, { contact_id = '' }) => answered(world, account, contact_id),
  references: { survey_id: 'survey_id' },
  bodies: {
    'POST /api/v1/surveys': () => ({ question: 'Did you like it?', options: ['Yes', 'No'] }),
    'POST /api/v1/surveys/:survey_id/send': ({ contact_phone }) => ({ contact_phone }),
  },
  lists: { 'GET /api/v1/surveys': [surveys], 'GET /api/v1/surveys/:survey_id/answers': [answers] },
  emptyArrays: { 'POST /api/v1/surveys options': 'nobody could answer a survey without options' },
  eventTriggers: {
    'surveys.answered': async (world, account) => {
      const { id } = await createSurvey(account);
      await tap(world, account, await ask(world, account, id, uniquePhone()), 1);
    },
  },
  leaveTraces: (world, account, { contactId }) => answered(world, account, contactId),
  otherIndexes: { surveys_surveys_due_idx: ALL_ACCOUNTS },
  pipelineStatements: [
    { begins: 'SELECT account_id, id AS survey_id FROM surveys_surveys WHERE counts IS NULL', why: ALL_ACCOUNTS },
    { begins: 'SELECT account_id, id AS survey_id FROM surveys_surveys s WHERE closed_at < $1', why: ALL_ACCOUNTS },
  ],
};

export default RECORDS;
