/**
 * A file to upload, with its `type`: `new File([bytes], 'offer.pdf', { type: 'application/pdf' })`, or a `Blob` such as that of
 * `fs.openAsBlob('offer.pdf', { type: 'application/pdf' })`, which is read while it is sent.
 */
export type MediaFile = Blob;

/** The form that the API takes a file in. */
export function formOf(file: MediaFile): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}
