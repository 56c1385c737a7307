import { EXAMPLE_ID, EXAMPLE_PHONE, one, type RoomExamples } from '../manifest/room-examples.js';

const CSV = 'phone_number,first_name,last_name,email,company,tags\n4915123456789,Ada,Lorenzen,ada@example.com,,vip\n';

/** What the description of the API shows of contacts. */
export const CONTACTS_EXAMPLES: RoomExamples = {
  requests: {
    'contacts.create': one('A contact', {
      phone_number: EXAMPLE_PHONE,
      first_name: 'Ada',
      last_name: 'Lorenzen',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      tags: ['vip'],
    }),
    'contacts.change': one('Some fields', { company: null, tags: ['vip', 'berlin'], opted_in: true }),
  },
  bodies: {
    'contacts.import': {
      required: true,
      description: 'The file as the field `file` of a form, or as the body itself.',
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: { type: 'string', contentMediaType: 'text/csv', description: 'UTF-8, with a header line' },
            },
          },
        },
        'text/csv': { schema: { type: 'string' }, example: CSV },
      },
    },
  },
  values: {
    'ConsentEvidenceRecord.id': EXAMPLE_ID,
    'RowWarningRecord.warning': 'opted_in stays false: the contact opted out on 2026-01-31T09:30:00.000Z',
    'ImportResponse.failed': 0,
    'ContactDeletedResponse.message': 'Contact deleted',
    'ContactResponse.message': 'Contact created',
    'ImportResponse.message': 'Contacts imported: 1 created, 0 updated, 0 failed',
  },
};
