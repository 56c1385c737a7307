import type { SendingInput } from '../templates/template-message.js';

/** What is the same for every recipient of a campaign: the template's variables and media, as given. */
export type CampaignContent = SendingInput;
