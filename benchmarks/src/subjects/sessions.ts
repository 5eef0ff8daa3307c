/** A key that never runs out; every request still asks its rate and counts its quota. */
export const roomySession = (apiId: string) => ({
  org_id: 'bench',
  rate: 1e9,
  per: 60,
  quota_max: 1e9,
  quota_renewal_rate: 3600,
  access_rights: { [apiId]: { api_id: apiId, api_name: apiId, versions: ['Default'] } },
})
