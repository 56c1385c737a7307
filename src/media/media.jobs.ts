import { jobKind } from '../manifest/job-kind.js';

/** Has a worker fetch the due files of an account. */
export const MEDIA_FETCH = jobKind<{ account_id: string }>('media.fetch.v1', 'media');
