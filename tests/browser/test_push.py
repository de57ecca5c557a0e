"""Notifications while no page is open: the service worker shows them, and the page says whether there can be any."""

from __future__ import annotations

import json

import pytest

REGISTERED = """async () => {
    const worker = await navigator.serviceWorker.register("page/push_worker.js");
    while (!worker.active) await new Promise(resume => setTimeout(resume, 20));
}"""
SHOWN = """async () => {
    const worker = await navigator.serviceWorker.getRegistration("page/push_worker.js");
    const shown = await worker.getNotifications();
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
}"""


@pytest.fixture(scope="module")
def windows(pages):
    """The whole browser, because without a desktop there are no notifications."""
    if pages.WHOLE is None:
        pytest.skip("there is no whole chromium on this machine")
    with pages.chromium(pages.WHOLE) as windows:
        yield windows


def test_a_call_is_shown_by_the_service_worker_and_nothing_else_is(visit, server, pages):
    ann = visit("Ann")
    context = ann.page.context
    context.grant_permissions(["notifications"], origin=server.address.rstrip("/"))
    ann.page.evaluate(REGISTERED)
    inside = context.new_cdp_session(ann.page)
    known = []
    inside.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    inside.send("ServiceWorker.enable")
    pages.until(lambda: known, "the registration", ann.page)
    registration = next(one["registrationId"] for one in known if one["scopeURL"].endswith("/page/"))

    def deliver(data):
        told = {"origin": server.address.rstrip("/"), "registrationId": registration, "data": data}
        inside.send("ServiceWorker.deliverPushMessage", told)

    deliver(json.dumps({"title": "duel", "body": "It is your turn.", "fight": 7}))
    shown = pages.until(lambda: ann.page.evaluate(SHOWN), "the notification", ann.page)
    assert shown == [{"title": "duel", "body": "It is your turn.", "tag": "affray-7"}]
    deliver(json.dumps({"title": "duel", "body": "Elsewhere", "fight": "../../evil"}))
    deliver(json.dumps({"title": "duel again", "body": "It is your turn.", "fight": 7}))
    again = {"title": "duel again", "body": "It is your turn.", "tag": "affray-7"}
    pages.until(lambda: again in ann.page.evaluate(SHOWN), "the second call", ann.page)
    assert ann.page.evaluate(SHOWN) == [again], "it replaces the first, and what names no fight is not shown"
    inside.detach()
    context.clear_permissions()


def test_the_page_says_whether_it_can_call(visit, pages):
    guest = visit()
    guest.page.click(".notices summary")
    pages.expect(guest.page.locator("#push-reason")).to_have_text(
        "Notifications while this page is closed: create an account first."
    )
    ann = visit("Ann")
    ann.page.click(".notices summary")
    pages.expect(ann.page.locator("#push, #push-reason")).to_have_count(1)
