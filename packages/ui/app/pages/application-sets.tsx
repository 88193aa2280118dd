export const ApplicationSetsPage = () => null;
