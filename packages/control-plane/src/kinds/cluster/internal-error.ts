import { type ApiError, apiError } from '@fairlead/apimachinery';

/** What the server answers when something beyond the request went wrong. */
export const internalError = (message: string): ApiError =>
  apiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
