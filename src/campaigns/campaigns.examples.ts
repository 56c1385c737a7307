import { EXAMPLE_IDS, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of campaigns. */
export const CAMPAIGNS_EXAMPLES: RoomExamples = {
  requests: {
    'campaigns.create': {
      contacts: {
        summary: 'To contacts, each with a name of their own',
        value: {
          name: 'Spring offer',
          template_name: 'spring_offer',
          body_data: { '1': { contact_field: 'first_name', fallback: 'there' } },
          contacts: [
            { phone: '+49 151 23456789', name: 'Ada Lorenzen' },
            { phone: '+49 151 23456780', body_data: { '1': 'Grace' } },
          ],
        },
      },
      groups: {
        summary: 'To groups, at a set time',
        value: {
          name: 'Spring offer',
          template_name: 'spring_offer',
          body_data: { '1': { contact_field: 'first_name', fallback: 'there' } },
          group_ids: EXAMPLE_IDS,
          scheduled_at: '2030-01-31T09:30:00',
          scheduled_timezone: 'Europe/Berlin',
          send_window: { from: '09:00', to: '20:00' },
        },
      },
    },
    'campaigns.retryFailed': {
      codes: { summary: 'Only those that failed with some codes', value: { error_codes: [131000, 131016] } },
      cap: {
        summary: 'Also those who got too much marketing a day ago',
        value: { include: ['marketing_cap'] },
      },
    },
  },
  values: {
    'CampaignActorField.name': 'Mira Lindholm',
    'CampaignContact.name': 'Ada Lorenzen',
    'CampaignRecord.group_names': ['Regulars'],
    'CampaignRecord.name': 'Spring offer',
    'CreateCampaignRequest.name': 'Spring offer',
    'CreateCampaignResponse.name': 'Spring offer',
    'LeftOutField.duplicates': 3,
    'LeftOutField.invalid_phones': 2,
    'PacedCampaignRecord.group_names': ['Regulars'],
    'PacedCampaignRecord.seconds_left': 42,
    'RecipientCountsField.accepted': 2,
    'RecipientCountsField.cancelled': 0,
    'RecipientCountsField.clicked': 120,
    'RecipientCountsField.read': 610,
    'RecipientCountsField.sent': 48,
    'SendCampaignResponse.message': 'Campaign queued for sending',
  },
};
