import { applicationTypes, buildTypes } from '@fairlead/api';
import { applicationMessages } from './application-messages.ts';
import { installationTypes } from './installation-types.ts';
import { serviceMessages } from './service-messages.ts';

/**
 * The messages of the API with the shapes that Go gives them: what is decoded, with which errors, and what is written. Names are those of Go:
 * `v1alpha1.Application`, `project.ProjectQuery`.
 */
export const messageNamed = buildTypes({
  v1alpha1: applicationTypes + installationTypes,
  ...serviceMessages,
  ...applicationMessages,
});
