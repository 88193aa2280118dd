import { type ApiError, apiError } from '@fairlead/apimachinery';

/** The response to an error that is unrelated to the request. */
export const internalError = (message: string): ApiError =>
  apiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
