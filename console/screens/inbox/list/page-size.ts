/** Rows of a page of the list: as many as the stream tells of. */
export const PAGE_SIZE = 50;
