import { applicationTypes, buildTypes } from '@fairlead/api';
import { applicationMessages } from './application-messages.ts';
import { applicationSetTypes } from './application-set-types.ts';
import { installationTypes } from './installation-types.ts';
import { repositoryDetails } from './repository-details.ts';
import { serviceMessages } from './service-messages.ts';

/**
 * The messages of the API with the shapes that Go gives them: what is decoded, with which errors, and what is written. Names are those of Go:
 * `v1alpha1.Application`, `project.ProjectQuery`.
 */
export const messageNamed = buildTypes({
  ...serviceMessages,
  ...applicationMessages,
  v1alpha1: applicationTypes + applicationSetTypes + installationTypes,
  repository: serviceMessages.repository + repositoryDetails,
});
