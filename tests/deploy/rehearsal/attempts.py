"""How often gRPC asked again, by its own count (channelz)."""

import json

# The public names of it are in a package that Debian lacks.
from grpc._cython import cygrpc


def channels():
    """The ids of all channels of this process."""
    page = json.loads(cygrpc.channelz_get_top_channels(0))
    return {int(channel["ref"]["channelId"])
            for channel in page.get("channel", ())}


def retried(ids):
    """Attempts beyond the first, of the calls of channels that watch no
    health: a watch is an attempt, too."""
    more = 0
    for channel_id in ids:
        channel = json.loads(
            cygrpc.channelz_get_channel(channel_id))["channel"]
        more -= _started(channel)
        for ref in channel.get("subchannelRef", ()):
            more += _started(json.loads(cygrpc.channelz_get_subchannel(
                int(ref["subchannelId"])))["subchannel"])
    return more


def _started(entity):
    return int(entity["data"].get("callsStarted", 0))
