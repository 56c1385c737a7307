import { EXAMPLE_ID, EXAMPLE_PHONE, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of personal data. */
export const PERSONAL_DATA_EXAMPLES: RoomExamples = {
  values: {
    'ContactExportResponse.contact': { id: EXAMPLE_ID, phone_number: EXAMPLE_PHONE, first_name: 'Ada' },
    'ContactExportResponse.consent': [
      { opted_in: false, decided_by: 'person', decided_at: '2026-01-31T09:30:00.000Z' },
    ],
    'ContactExportResponse.merged_contacts': [],
    'ContactExportResponse.groups': [{ id: EXAMPLE_ID, name: 'Newsletter', member_since: '2026-01-31T09:30:00.000Z' }],
    'ContactExportResponse.conversations': [
      { business_phone_id: EXAMPLE_ID, last_message_preview: 'Are you open today?' },
    ],
    'ContactExportResponse.assignments': [],
    'ContactExportResponse.entries': [{ id: EXAMPLE_ID, kind: 'note', note: 'Prefers mornings' }],
    'ContactExportResponse.messages': [{ id: EXAMPLE_ID, direction: 'in', content: 'Are you open today?' }],
    'ContactExportResponse.recipients': [],
    'ContactExportResponse.events': [],
    'ContactExportResponse.deliveries': [],
    'ContactExportResponse.callbacks': [],
    'ContactExportResponse.stored_answers': [],
  },
};
